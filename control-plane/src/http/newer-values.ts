import { z } from 'zod'

/**
 * Parses a reply and tolerates values that this version does not know. During an upgrade, control
 * planes of two versions serve one database, so this one reads values that only the newer one declares:
 * a mode, a type, a kind of entry. They are passed on unchanged; undeclared fields are dropped, as in
 * any reply. `told` is called with each unknown value.
 * @throws the schema's error if not even the shape fits
 */
export function parseReply<S extends z.ZodType>(
  schema: S,
  result: unknown,
  onUnknown: (unknown: readonly z.core.$ZodIssue[]) => void,
): z.output<S> {
  const known = schema.safeParse(result)
  if (known.success) return known.data
  const newer = shapeOf(schema).safeParse(result)
  if (!newer.success) throw known.error
  onUnknown(known.error.issues)
  return newer.data as z.output<S>
}

const shapes = new WeakMap<z.ZodType, z.ZodType>()

/** What a schema demands without knowing the values: objects with their fields, texts, numbers. */
function shapeOf(schema: z.ZodType): z.ZodType {
  const shape = shapes.get(schema) ?? makeShape(schema)
  shapes.set(schema, shape)
  return shape
}

function makeShape(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return z.string()
  if (schema instanceof z.ZodNumber) return z.number()
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral)
    return z.union([schema, z.string()])
  if (schema instanceof z.ZodObject) return z.object(mapped(schema.shape))
  if (schema instanceof z.ZodArray) return z.array(shapeOf(schema.element as z.ZodType))
  if (schema instanceof z.ZodRecord)
    return z.record(z.string(), shapeOf(schema.valueType as z.ZodType))
  if (schema instanceof z.ZodNullable) return shapeOf(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodDefault)
    return shapeOf(schema.unwrap() as z.ZodType).default(schema.def.defaultValue)
  if (schema instanceof z.ZodReadonly) return shapeOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodLazy) return z.lazy(() => shapeOf(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodIntersection)
    return z.intersection(
      shapeOf(schema.def.left as z.ZodType),
      shapeOf(schema.def.right as z.ZodType),
    )
  if (schema instanceof z.ZodUnion) return unionShape(schema.options as readonly z.ZodType[])
  return schema
}

const mapped = (shape: z.core.$ZodShape): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(shape).map(([key, inner]) => [key, shapeOf(inner as z.ZodType)]),
  )

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional().catch(undefined)

/**
 * An entry of a kind that is not known keeps its plain values in fields that entries of other kinds
 * have too, among them what tells the kinds apart. Sent back, it is refused instead of being changed.
 */
function unionShape(options: readonly z.ZodType[]): z.ZodType {
  const objects = options.filter((option) => option instanceof z.ZodObject)
  const kinds = objects.map(({ shape }) =>
    z.object({
      ...mapped(shape),
      ...Object.fromEntries(Object.entries(shape).filter(([, of]) => of instanceof z.ZodLiteral)),
    }),
  )
  const fields = objects.flatMap(({ shape }) => Object.keys(shape))
  const others = options.filter((option) => !(option instanceof z.ZodObject)).map(shapeOf)
  const unknown = z.object(Object.fromEntries(fields.map((field) => [field, plain])))
  return z.union([...options, ...kinds, ...others, ...(objects.length > 0 ? [unknown] : [])])
}
