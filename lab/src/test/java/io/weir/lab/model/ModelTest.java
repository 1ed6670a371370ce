package io.weir.lab.model;

import java.util.Set;
final class ModelTest {
    private ModelTest() {}
    public static void main(String[] a) {
        long from = Long.parseLong(a[0]);
        long to = Long.parseLong(a[1]);
        int bad = 0;
        long audits = 0, deaths = 0;
        java.util.Map<String, Integer> kinds = new java.util.TreeMap<>();
        for (long seed = from; seed <= to; seed++) {
            Simulation s = new Simulation(seed, 150, Set.of());
            String w = s.run();
            audits += s.audits(); deaths += s.deaths();
            if (w != null) {
                bad++;
                System.out.println("seed " + seed + " " + s.profile + " step " + s.step() + ": " + (w.length() > 300 ? w.substring(0, 300) : w));
                if (from == to) s.log().forEach(System.out::println);
                if (from == to) System.out.println(w);
            }
        }
        System.out.println(bad + " wrong, audits " + audits + ", deaths " + deaths);
    }
}
