/**
 * Reads the arguments of an ICU message from its literal type, so that a missing or misnamed one
 * does not compile. Separators are written as `{count, plural, one {…} other {…}}`.
 */

/** How a message is used: text, a function of its values, or, with tags, one that returns parts. */
export type Spoken<M extends string> = [TagsOf<M>] extends [never]
  ? [keyof ValuesOf<M>] extends [never]
    ? string
    : (values: ValuesOf<M>) => string
  : <Node>(
      values: ValuesOf<M> & { readonly [Tag in TagsOf<M>]: (inside: string) => Node },
    ) => readonly (string | Node)[]

/** All names that a message needs a value for. */
export type NamesOf<M extends string> = keyof ValuesOf<M> | TagsOf<M>

type ValuesOf<M extends string> = ReadOnly<Scan<M, [], unknown>>
type ReadOnly<T> = { readonly [K in keyof T]: T[K] }

type TagsOf<M extends string> = M extends `${string}<${infer Tag}>${infer Rest}`
  ? Tag extends `/${string}`
    ? TagsOf<Rest>
    : Tag | TagsOf<Rest>
  : never

/** `text` may contain arguments; `options` are the choices of a plural or a select. */
type Inside = 'text' | 'options'

/** Walks from brace to brace; `Open` are the open ones, innermost first, `Found` the arguments. */
type Scan<
  M extends string,
  Open extends readonly Inside[],
  Found,
> = M extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Between}`
    ? Scan<`${Between}{${After}`, Outside<Open>, Found>
    : Open extends readonly ['options', ...Inside[]]
      ? Scan<After, ['text', ...Open], Found>
      : Argument<After, Open, Found>
  : Found

type Outside<Open extends readonly Inside[]> = Open extends readonly [
  Inside,
  ...infer Rest extends readonly Inside[],
]
  ? Rest
  : []

type Argument<
  M extends string,
  Open extends readonly Inside[],
  Found,
> = M extends `${infer Head}}${infer Tail}`
  ? Head extends `${infer Name}, ${infer Kind}`
    ? Kind extends `${'plural' | 'selectordinal' | 'select'}, ${string}`
      ? M extends `${string}, ${string}, ${infer Options}`
        ? Scan<
            Options,
            ['options', ...Open],
            Found & { [K in Name]: Kind extends `select, ${string}` ? string : number }
          >
        : never
      : Scan<
          Tail,
          Open,
          Found & { [K in Name]: Kind extends `number${string}` ? number : Date | number | string }
        >
    : Scan<Tail, Open, Found & { [K in Head]: string | number }>
  : never
