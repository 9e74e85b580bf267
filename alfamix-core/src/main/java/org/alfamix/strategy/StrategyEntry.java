package org.alfamix.strategy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;

/**
 * An entry of the registry of strategies.
 *
 * @param name the name of the strategy
 * @param summary a short description of its picks
 * @param citation the publication; empty if there is none
 * @param criterion what its picks have in common; empty if it fits none of the criteria
 * @param defaults the default options; every component of the record can be set by its name
 * @param factory creates the strategy from its options
 */
public record StrategyEntry<O extends Record>(
    String name,
    String summary,
    String citation,
    Optional<Criterion> criterion,
    O defaults,
    Function<O, QueryStrategy> factory) {

  /** Creates the entry of a strategy with options. */
  public StrategyEntry(
      String name,
      String summary,
      String citation,
      O defaults,
      Function<O, QueryStrategy> factory) {
    this(name, summary, citation, Optional.empty(), defaults, factory);
  }

  /** Returns the same entry with a criterion. */
  public StrategyEntry<O> withCriterion(Criterion other) {
    return new StrategyEntry<>(name, summary, citation, Optional.of(other), defaults, factory);
  }

  /** Returns the entry of a strategy without options. */
  public static StrategyEntry<NoOptions> of(
      String name, String summary, String citation, Supplier<QueryStrategy> factory) {
    return new StrategyEntry<>(name, summary, citation, new NoOptions(), options -> factory.get());
  }

  /** Returns the options with their default values as text, in the order of the record. */
  public Map<String, String> options() {
    Map<String, String> result = new LinkedHashMap<>();
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      result.put(component.getName(), optionText(value(component)));
    }
    return result;
  }

  /** Returns the values of an option with a fixed set of values; empty for other options. */
  public List<String> choices(String option) {
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      if (component.getName().equals(option)) {
        return choices(component.getType());
      }
    }
    throw new IllegalArgumentException(name + " has no option '" + option + "'.");
  }

  /** Creates the strategy with its default options. */
  public QueryStrategy create() {
    return make(defaults);
  }

  private QueryStrategy make(O options) {
    QueryStrategy strategy = factory.apply(options);
    if (strategy == null) {
      throw new IllegalStateException("The entry of '" + name + "' created no strategy.");
    }
    return strategy;
  }

  /**
   * Creates the strategy; options that are not set have their defaults.
   *
   * @throws InvalidRequestException if an option is unknown or its value is invalid
   */
  public QueryStrategy create(Map<String, String> settings) {
    return make(read(settings));
  }

  /**
   * Parses options; those that are not set have their defaults. Names may also be written in the
   * style of a command line: {@code cap-step} for {@code capStep}.
   *
   * @throws InvalidRequestException if an option is unknown or its value is invalid
   */
  public O read(Map<String, String> given) {
    RecordComponent[] components = defaults.getClass().getRecordComponents();
    Map<String, String> settings = withUsualNames(given);
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

  /**
   * Returns options under their names in the record: {@code capStep} for {@code cap-step}.
   *
   * @throws InvalidRequestException if an option is given twice
   */
  public Map<String, String> withUsualNames(Map<String, String> given) {
    Map<String, String> settings = new LinkedHashMap<>();
    given.forEach(
        (key, value) -> {
          if (settings.put(camelCase(key), value) != null) {
            throw new InvalidRequestException(
                "Option '%s' of strategy '%s' is given twice.".formatted(camelCase(key), name));
          }
        });
    return settings;
  }

  private static String camelCase(String name) {
    return Pattern.compile("-([a-z])")
        .matcher(name)
        .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
  }

  private String unknownOption(String key, RecordComponent[] components) {
    if (components.length == 0) {
      return "Strategy '%s' has no options, got '%s'.".formatted(name, key);
    }
    String known =
        Arrays.stream(components).map(RecordComponent::getName).collect(Collectors.joining(", "));
    return "Strategy '%s' has no option '%s'; its options are %s.".formatted(name, key, known);
  }

  /** Adds the strategy to the message of a record, which starts with the name of the option. */
  private String addStrategyName(String message) {
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
          "Option %s of %s is '%s', expected %s."
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
        "Option %s of %s is '%s', expected one of %s."
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

  /** Returns the text of an option value, such as {@code class-means} for {@code CLASS_MEANS}. */
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
      // The message of the check in the record is meant for the user.
      if (e.getCause() instanceof InvalidRequestException cause) {
        throw new InvalidRequestException(addStrategyName(cause.getMessage()), cause);
      }
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Options of " + name + " must be a public record.", e);
    }
  }
}
