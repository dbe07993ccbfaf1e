import { registerHooks } from 'node:module'

/**
 * Preloaded into a control plane: replaces modules of ours, named in LODGE_BENCH_PLAIN, by the
 * plain ways beside this file.
 */

/** Each plain way by its name, and what it replaces. */
const replaced: Readonly<Record<string, string>> = {
  'lodge-client': 'db/lodge-client.ts',
  'named-statements': 'db/named-statements.ts',
  prepared: 'db/prepared.ts',
  'deferred-insert': 'db/deferred-insert.ts',
  timestamps: 'db/timestamps.ts',
  'lookups-one-by-one': 'db/batched.ts',
  'messages-by-dataloader': 'fleet/batched.ts',
  'messages-one-by-one': 'fleet/batched.ts',
}

const plain = new Map<string, string>()
for (const name of (process.env.LODGE_BENCH_PLAIN ?? '').split(',').filter(Boolean)) {
  const file = replaced[name]
  if (file === undefined) throw new Error(`there is no plain way ${name}`)
  const own = new URL(`../../../control-plane/src/${file}`, import.meta.url).href
  plain.set(own, new URL(`./${name}.ts`, import.meta.url).href)
}

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return { ...found, url: plain.get(found.url) ?? found.url }
  },
})
