package io.weir.lab.shape;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The circles of a graph: its strongly connected components of more than one node (R. Tarjan, Depth-first search and linear graph
 * algorithms, 1972), without recursion. Confined to its caller.
 */
final class Circles {
    private final Map<String, Set<String>> edges;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> low = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final Set<String> onPath = new HashSet<>();
    private final List<Set<String>> found = new ArrayList<>();

    private Circles(Map<String, Set<String>> edges) {
        this.edges = edges;
    }

    /** All circles, the largest first. */
    static List<Set<String>> of(Map<String, Set<String>> edges) {
        Circles circles = new Circles(edges);
        for (String node : new TreeSet<>(edges.keySet())) {
            if (!circles.index.containsKey(node)) {
                circles.visit(node);
            }
        }
        circles.found.sort((a, b) -> b.size() - a.size());
        return circles.found;
    }

    private record Visit(String node, List<String> next) {}

    private void visit(String root) {
        Deque<Visit> open = new ArrayDeque<>();
        open.push(enter(root));
        while (!open.isEmpty()) {
            Visit visit = open.peek();
            if (visit.next.isEmpty()) {
                open.pop();
                leave(visit.node);
                Visit below = open.peek();
                if (below != null) {
                    lower(below.node, low.getOrDefault(visit.node, 0));
                }
                continue;
            }
            String next = visit.next.removeLast();
            if (!index.containsKey(next)) {
                open.push(enter(next));
            } else if (onPath.contains(next)) {
                lower(visit.node, index.getOrDefault(next, 0));
            }
        }
    }

    private Visit enter(String node) {
        index.put(node, index.size());
        low.put(node, index.size() - 1);
        path.push(node);
        onPath.add(node);
        return new Visit(node, new ArrayList<>(edges.getOrDefault(node, Set.of())));
    }

    private void lower(String node, int to) {
        low.merge(node, to, Math::min);
    }

    private void leave(String node) {
        if (!Objects.equals(low.get(node), index.get(node))) {
            return;
        }
        Set<String> circle = new TreeSet<>();
        String last;
        do {
            last = path.pop();
            onPath.remove(last);
            circle.add(last);
        } while (!last.equals(node));
        if (circle.size() > 1) {
            found.add(circle);
        }
    }
}
