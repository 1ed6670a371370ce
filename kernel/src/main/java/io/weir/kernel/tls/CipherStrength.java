package io.weir.kernel.tls;

/** Derives the key length of a cipher suite from its name. Stateless. */
public final class CipherStrength {
    private CipherStrength() {}

    /** Key length of the cipher in bits; 0 for none or an unknown cipher. */
    public static int bits(String suite) {
        if (suite.contains("AES_256") || suite.contains("AES256") || suite.contains("CHACHA20")) {
            return 256;
        }
        if (suite.contains("AES_128") || suite.contains("AES128")) {
            return 128;
        }
        return suite.contains("3DES") || suite.contains("DES_CBC3") ? 112 : 0;
    }
}
