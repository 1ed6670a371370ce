package io.weir.cluster.config;

import io.weir.base.ByteSize;
import io.weir.base.Knob;
import java.time.Duration;

/** The section {@code cluster.deploy}: hot deployments. Immutable. */
public record DeployConfig(
        @Knob(
                doc = "Maximum size of an archive.",
                value = "64MiB",
                min = "1KiB",
                max = "1GiB",
                watch = "weir_deploy_total")
        ByteSize maxSize,

        @Knob(
                doc = "Time limit for fetching an archive from another member.",
                value = "30s",
                min = "1s",
                max = "1h",
                watch = "weir_deploy_total")
        Duration fetchTimeOut) {}
