package io.weir.cluster.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/** The section {@code cluster.deploy}: hot deployments. Immutable. */
public record DeployConfig(
        @Knob(
                doc = "Maximum size of an archive. Raise it when a deployment is refused as too large;"
                        + " lower it to bound what is kept on each member's disk. Rule of thumb: twice the"
                        + " largest archive.",
                value = "64MiB",
                min = "1KiB",
                max = "1GiB",
                watch = "weir_deploy_total")
        ByteSize maxSize,

        @Knob(
                doc = "Time limit for fetching an archive from another member. Raise it when large"
                        + " archives over slow links are not fetched in time; lower it to try another"
                        + " member sooner. Rule of thumb: twice max-size divided by the bandwidth between"
                        + " members.",
                value = "30s",
                min = "1s",
                max = "1h",
                watch = "weir_deploy_total")
        Duration fetchTimeOut) {}
