package io.weir.server.monitor;

/** The common parts of the HTML pages. Stateless. */
final class Html {
    private static final String STYLE = """
            :root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);\
            --soft:color-mix(in srgb,currentColor 62%,transparent);--link:light-dark(#0b57a4,#8ec2ff)}
            body{font:16px/1.55 system-ui,sans-serif;max-width:50rem;margin:3.5rem auto;padding:0 1.25rem;\
            background:light-dark(#fdfdfc,#16181b);color:light-dark(#1c1e21,#e6e7e9)}
            h1{font-size:1.7rem;font-weight:600;letter-spacing:-.01em;margin:0}
            p{color:var(--soft);margin:.3rem 0 2rem}
            h2{font-size:.8rem;font-weight:600;text-transform:uppercase;letter-spacing:.08em;color:var(--soft);margin:2rem 0 .4rem}
            ul{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
            li{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
            li a{flex:0 0 15rem;font-family:ui-monospace,monospace;font-size:.9rem}
            a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
            pre{font:.85rem/1.5 ui-monospace,monospace;overflow-x:auto}
            """;

    private Html() {}

    /** A whole page; the body is markup, the title is text. */
    static String page(String title, String body) {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width\"><title>" + text(title) + "</title>\n<style>\n"
                + STYLE + "</style></head>\n<body>\n" + body + "</body></html>\n";
    }

    /** Text made safe between tags and in quoted attributes. */
    static String text(String raw) {
        return raw.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
