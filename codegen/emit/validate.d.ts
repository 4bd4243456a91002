/** A value does not match its schema. `pointer` is the JSON Pointer of the part that does not. */
export declare class InvalidValue extends Error {
  readonly pointer: string;
  /** What is wrong there, such as `is missing`. */
  readonly problem: string;
}

/** Returns whether a value matches the schema of `Type`. */
export type Is<Type> = (value: unknown) => value is Type;

/** Parses JSON text. Throws SyntaxError if it is not JSON, or InvalidValue if the value does not match the schema. */
export type Parse<Type> = (text: string) => Type;

/** A bundle of JSON Schemas (draft 2020-12), with one definition for each type. */
export type Bundle = { $schema: string; $id: string; $defs: { [type: string]: object | boolean } };
