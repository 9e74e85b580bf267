package org.alfamix.plugin;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.alfamix.error.InvalidRequestException;

/**
 * Named entries: those of alfamix, and those of plug-ins. Names are unique.
 *
 * @param <E> the type of the entries
 * @since 0.1
 */
public final class Registry<E> {
  private final String kind;
  private final List<E> builtIn;
  private final Function<E, String> name;
  private final Providers<E> providers;

  /**
   * All entries that a context class loader sees. Soft references, because entries of plug-ins
   * refer to their loader, which must remain collectable in an application server.
   */
  private final Map<ClassLoader, SoftReference<List<E>>> found = new WeakHashMap<>();

  /** Lists the entries of one provider of a plug-in. */
  private interface Providers<E> {
    Stream<Found<E>> load();
  }

  private record Found<E>(E entry, String source) {}

  private Registry(String kind, List<E> builtIn, Function<E, String> name, Providers<E> providers) {
    this.kind = kind;
    this.builtIn = List.copyOf(builtIn);
    this.name = name;
    this.providers = providers;
  }

  /**
   * Creates a registry.
   *
   * @param kind a plural noun for the entries, such as {@code strategies}, for messages
   * @param builtIn the entries of alfamix
   * @param name returns the name of an entry
   * @param provider the interface that plug-ins implement
   * @param entries returns the entries of such a provider
   */
  public static <E, C> Registry<E> of(
      String kind,
      List<E> builtIn,
      Function<E, String> name,
      Class<C> provider,
      Function<C, List<? extends E>> entries) {
    return new Registry<>(
        kind,
        builtIn,
        name,
        () ->
            Plugins.load(provider).stream().flatMap(each -> entries(each, entries, name).stream()));
  }

  /** Lists the entries of a provider, and checks that it returns what it must. */
  private static <E, C> List<Found<E>> entries(
      C provider, Function<C, List<? extends E>> list, Function<E, String> name) {
    String source = provider.getClass().getName();
    List<Found<E>> found = new ArrayList<>();
    try {
      for (E entry : list.apply(provider)) {
        Objects.requireNonNull(name.apply(entry), "an entry without a name");
        found.add(new Found<>(entry, source));
      }
    } catch (RuntimeException | LinkageError e) {
      throw new InvalidRequestException(
          "The plug-in %s cannot list its entries: %s.".formatted(source, e), e);
    }
    return found;
  }

  /** Returns the entries of alfamix. */
  public List<E> builtIn() {
    return builtIn;
  }

  /**
   * Returns all entries: those of alfamix, then those of plug-ins.
   *
   * @throws InvalidRequestException if two entries have the same name, or a plug-in cannot be
   *     loaded
   */
  public List<E> all() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    synchronized (found) {
      SoftReference<List<E>> known = found.get(loader);
      List<E> entries = known == null ? null : known.get();
      if (entries == null) {
        entries = find();
        found.put(loader, new SoftReference<>(entries));
      }
      return entries;
    }
  }

  private List<E> find() {
    List<Found<E>> all = new ArrayList<>();
    builtIn.forEach(entry -> all.add(new Found<>(entry, "alfamix")));
    providers.load().forEach(all::add);
    Plugins.requireUniqueNames(kind, all, each -> name.apply(each.entry()), Found::source);
    return all.stream().map(Found::entry).toList();
  }

  /** Returns the entry with this name. */
  public Optional<E> named(String wanted) {
    // Plug-ins are searched only for other names, because the search takes time.
    return find(builtIn, wanted).or(() -> find(all(), wanted));
  }

  private Optional<E> find(List<E> entries, String wanted) {
    return entries.stream().filter(entry -> name.apply(entry).equals(wanted)).findFirst();
  }
}
