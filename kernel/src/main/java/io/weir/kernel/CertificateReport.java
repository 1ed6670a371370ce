package io.weir.kernel;

import java.util.List;

/**
 * A certificate that a listener shows, for monitoring and administration. Immutable.
 *
 * @param place the file that it is from
 * @param names DNS names that it is for
 * @param issuer the distinguished name of who vouches for it (RFC 2253)
 * @param notAfter when it expires, milliseconds since the epoch
 * @param stapledUntil until when the OCSP answer shown with it is good; 0: none is shown
 */
public record CertificateReport(
        String listener, String place, List<String> names, String issuer, long notAfter, long stapledUntil) {}
