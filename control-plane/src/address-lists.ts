import { z } from 'zod'

/** Host names and `true` are rejected: a trusted proxy must be listed by its address. */
export const networkAddress = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'must be addresses or networks, separated by commas',
)

/** Of a DNS resolver, whose name nobody could resolve; with its port if it is not 53. */
export const resolverAddress = z.union(
  [z.ipv4(), z.ipv6(), z.string().regex(/^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\]):\d{1,5}$/i)],
  'must be addresses, with their port if it is not 53, separated by commas',
)

/** Items of a setting, separated by commas. */
export const listOf = <S extends z.ZodType<string, string>>(item: S) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(item))
