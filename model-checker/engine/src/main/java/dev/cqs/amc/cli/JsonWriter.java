package dev.cqs.amc.cli;

/** Writes a JSON value, in ASCII. The caller gives names to the values of objects, and none to those of arrays. */
final class JsonWriter {

    private final StringBuilder text = new StringBuilder();
    /** Whether the next name or element is not the first one. */
    private boolean following;

    JsonWriter beginObject() {
        return begin('{');
    }

    JsonWriter endObject() {
        return end('}');
    }

    JsonWriter beginArray() {
        return begin('[');
    }

    JsonWriter endArray() {
        return end(']');
    }

    /** Writes the name of the next value. */
    JsonWriter name(String name) {
        separate();
        quote(name);
        text.append(':');
        following = false;
        return this;
    }

    JsonWriter value(String value) {
        separate();
        quote(value);
        return this;
    }

    JsonWriter value(long value) {
        separate();
        text.append(value);
        return this;
    }

    /** Writes a finite number; JSON has no others. */
    JsonWriter value(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number " + value + ".");
        }
        separate();
        text.append(value);
        return this;
    }

    JsonWriter value(boolean value) {
        separate();
        text.append(value);
        return this;
    }

    JsonWriter nullValue() {
        separate();
        text.append("null");
        return this;
    }

    private JsonWriter begin(char bracket) {
        separate();
        text.append(bracket);
        following = false;
        return this;
    }

    private JsonWriter end(char bracket) {
        text.append(bracket);
        following = true;
        return this;
    }

    private void separate() {
        if (following) {
            text.append(',');
        }
        following = true;
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            switch (character) {
                case '"', '\\' -> text.append('\\').append(character);
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> {
                    if (character >= ' ' && character <= '~') {
                        text.append(character);
                    } else {
                        text.append(String.format("\\u%04x", (int) character));
                    }
                }
            }
        }
        text.append('"');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
