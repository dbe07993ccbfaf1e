import type { z } from 'zod'

/** A method of plugins: what it is given and what it answers. */
interface Method {
  readonly request: z.ZodType
  readonly reply: z.ZodType
}

/** Methods by name: the part before the dot is the kind of plugin that has it. */
export type Methods = Readonly<Record<`${string}.${string}`, Method>>

type Last<Name extends string> = Name extends `${string}.${infer Rest}` ? Rest : never
type Awaitable<T> = T | Promise<T>

/** How a plugin implements the methods of its kind. */
export type Implements<M extends Methods> = {
  readonly [Name in keyof M & `${string}.${string}` as Last<Name>]?: (
    request: z.output<M[Name]['request']>,
  ) => Awaitable<z.input<M[Name]['reply']>>
}
