function FindProxyForURL(url, host) {
    if (isPlainHostName(host) || dnsDomainIs(host, ".intra.example.com")) {
        return "DIRECT";
    }
    return "PROXY proxy.intra.example.com:8080";
}
