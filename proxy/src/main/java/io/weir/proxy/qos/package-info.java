/** Quality of service: bounds on bandwidth, connections and request rates of listeners, virtual servers, clients, routes. */
@NullMarked
package io.weir.proxy.qos;

import org.jspecify.annotations.NullMarked;
