package org.alfamix.strategy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;

/**
 * A strategy as the registry knows it.
 *
 * @param name what it is called by
 * @param summary what it picks, in a few words
 * @param citation where it was published; empty for folklore
 * @param defaults its options; every component of the record can be set by its name
 * @param factory makes the strategy from its options
 */
public record StrategyEntry<O extends Record>(
    String name, String summary, String citation, O defaults, Function<O, QueryStrategy> factory) {

  /** The entry of a strategy without options. */
  public static StrategyEntry<NoOptions> of(
      String name, String summary, String citation, Supplier<QueryStrategy> factory) {
    return new StrategyEntry<>(name, summary, citation, new NoOptions(), options -> factory.get());
  }

  /**
   * The names of the options with their default values as one would write them, in the order of the
   * record.
   */
  public Map<String, String> options() {
    Map<String, String> result = new LinkedHashMap<>();
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      result.put(component.getName(), optionText(value(component)));
    }
    return result;
  }

  /** The values that an option can have where they are few: its default is among them. */
  public List<String> choices(String option) {
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      if (component.getName().equals(option)) {
        return choices(component.getType());
      }
    }
    throw new IllegalArgumentException(name + " has no option '" + option + "'.");
  }

  /** The strategy with its default options. */
  public QueryStrategy create() {
    return factory.apply(defaults);
  }

  /**
   * The strategy with some options set.
   *
   * @throws InvalidRequestException naming the option that is unknown or has no such value
   */
  public QueryStrategy create(Map<String, String> settings) {
    return factory.apply(read(settings));
  }

  /**
   * The options with some of them set.
   *
   * @throws InvalidRequestException naming the option that is unknown or has no such value
   */
  public O read(Map<String, String> settings) {
    RecordComponent[] components = defaults.getClass().getRecordComponents();
    for (String key : settings.keySet()) {
      if (Arrays.stream(components).noneMatch(component -> component.getName().equals(key))) {
        throw new InvalidRequestException(unknownOption(key, components));
      }
    }
    Object[] values =
        Arrays.stream(components)
            .map(
                component ->
                    settings.containsKey(component.getName())
                        ? parse(component, settings.get(component.getName()))
                        : value(component))
            .toArray();
    return newOptions(components, values);
  }

  private String unknownOption(String key, RecordComponent[] components) {
    if (components.length == 0) {
      return "%s has no options, got '%s'.".formatted(name, key);
    }
    String known =
        Arrays.stream(components).map(RecordComponent::getName).collect(Collectors.joining(", "));
    return "%s has no option '%s'; it has %s.".formatted(name, key, known);
  }

  /** A record's own message begins with the option it speaks of: say whose option that is. */
  private String ofThis(String message) {
    return "Option " + message.replaceFirst(" ", " of " + name + " ");
  }

  private Object value(RecordComponent component) {
    try {
      return component.getAccessor().invoke(defaults);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Options of " + name + " must be a public record.", e);
    }
  }

  private Object parse(RecordComponent component, String text) {
    Class<?> type = component.getType();
    try {
      if (type == int.class) {
        return Integer.valueOf(text.trim());
      }
      if (type == long.class) {
        return Long.valueOf(text.trim());
      }
      if (type == double.class) {
        return Double.valueOf(text.trim());
      }
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "Option %s of %s: '%s' is not %s."
              .formatted(
                  component.getName(),
                  name,
                  text,
                  type == double.class ? "a number" : "an integer"),
          e);
    }
    if (type == boolean.class && (text.equals("true") || text.equals("false"))) {
      return Boolean.valueOf(text);
    }
    if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        if (optionText(constant).equals(text)) {
          return constant;
        }
      }
    }
    if (type == String.class) {
      return text;
    }
    throw new InvalidRequestException(
        "Option %s of %s: '%s' is not one of %s."
            .formatted(component.getName(), name, text, String.join(", ", choices(type))));
  }

  private static List<String> choices(Class<?> type) {
    if (type == boolean.class) {
      return List.of("true", "false");
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants()).map(StrategyEntry::optionText).toList()
        : List.of();
  }

  /** How a value is written as an option: {@code CLASS_MEANS} as {@code class-means}. */
  private static String optionText(Object value) {
    if (value instanceof Double number && number.toString().contains("E")) {
      return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    }
    return value instanceof Enum<?> constant
        ? constant.name().toLowerCase(Locale.ROOT).replace('_', '-')
        : value.toString();
  }

  @SuppressWarnings("unchecked")
  private O newOptions(RecordComponent[] components, Object[] values) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return (O) defaults.getClass().getConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      // The record's own check: its message is meant for the user.
      if (e.getCause() instanceof IllegalArgumentException refusal) {
        throw new InvalidRequestException(ofThis(refusal.getMessage()), refusal);
      }
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Options of " + name + " must be a public record.", e);
    }
  }
}
