package io.weir.proxy;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.weir.base.Live;
import io.weir.proxy.program.ProxyConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The addresses of {@code proxy.trusted-proxies}, whose forwarding fields are kept. Shared; swapped whole. */
final class TrustedAddresses {
    private volatile List<IpSubnetFilterRule> rules = List.of();

    TrustedAddresses(Live<ProxyConfig> config) {
        config.observe(c -> rules = parse(c.trustedProxies()));
    }

    boolean contains(InetAddress address) {
        List<IpSubnetFilterRule> now = rules;
        if (now.isEmpty()) {
            return false;
        }
        InetSocketAddress peer = new InetSocketAddress(address, 0);
        for (IpSubnetFilterRule rule : now) {
            if (rule.matches(peer)) {
                return true;
            }
        }
        return false;
    }

    private static List<IpSubnetFilterRule> parse(List<String> texts) {
        List<IpSubnetFilterRule> parsed = new ArrayList<>();
        for (String text : texts) {
            int slash = text.indexOf('/');
            String host = slash < 0 ? text : text.substring(0, slash);
            int bits = slash < 0 ? (host.indexOf(':') >= 0 ? 128 : 32) : Integer.parseInt(text.substring(slash + 1));
            parsed.add(new IpSubnetFilterRule(host, bits, IpFilterRuleType.ACCEPT));
        }
        return List.copyOf(parsed);
    }
}
