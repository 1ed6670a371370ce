package io.weir.lab.model;

import java.util.HashMap;
import java.util.Map;

/** Who has which client identifier. Confined to the books. */
final class ClientIdBook {
    private final Books books;
    private final Map<String, Peer> owners = new HashMap<>();
    private final Map<Peer, Boolean> expected = new HashMap<>();

    ClientIdBook(Books books) {
        this.books = books;
    }

    boolean isTaken(String id) {
        return owners.containsKey(id);
    }

    void claiming(Peer p, String id) {
        expected.put(p, owners.putIfAbsent(id, p) == null);
    }

    void granted(Peer p, String id) {
        if (!Boolean.TRUE.equals(expected.remove(p))) {
            books.wrong(p + " was given the client identifier " + id + ", which " + owners.get(id) + " has");
        }
        p.clientId = id;
    }

    void refused(Peer p, String id) {
        if (Boolean.TRUE.equals(expected.remove(p))) {
            books.wrong(p + " was refused the client identifier " + id + ", which nobody has");
        }
    }

    void lost(Peer p) {
        owners.values().remove(p);
        expected.remove(p);
    }

    void died() {
        owners.clear();
        expected.clear();
    }
}
