import { randomUUID } from 'node:crypto'
import type { PluginManifest } from '@lodge/shared/plugins/manifest.ts'
import { sealSettings } from '../../control-plane/src/domains/plugins/secrets.ts'
import { packFiles } from '../../plugins/sdk/pack.ts'
import type { Caller } from './caller.ts'
import type { Lodge } from './stack.ts'

export type GivenManifest = Partial<Omit<PluginManifest, 'settings'>> & {
  readonly settings?: unknown
}

/** A valid manifest. */
export const manifestOf = (given: GivenManifest = {}) => ({
  ...{ schema: 1, id: 'sample', name: 'Sample', version: '1.0.0', publisher: 'Somebody' },
  ...{ description: '', license: 'MIT', engines: { lodge: '*' }, main: 'main.mjs' },
  ...{ kinds: ['event'], permissions: [], settings: { type: 'object', properties: {} } },
  ...given,
})

/** A package of a plugin with this module. @param key signs it @param more further files */
export const samplePackage = (
  given: GivenManifest = {},
  main = 'export default () => ({ event: { happened() {} } })',
  key?: string,
  more: Readonly<Record<string, string>> = {},
): Buffer =>
  packFiles(
    { 'lodge-plugin.json': JSON.stringify(manifestOf(given)), 'main.mjs': main, ...more },
    key,
  )

/** Installs a payment plugin with this module, and turns it on. @param key signs it */
export async function addProvider(
  admin: Caller,
  id: string,
  main: string,
  key: string,
  given: GivenManifest = {},
) {
  const base = { id, kinds: ['payment'], permissions: ['billing.provider'] } as const
  const manifest = { ...base, ...given }
  await admin.must('POST /api/plugins', {
    body: {
      source: 'upload',
      package: samplePackage(manifest as never, main, key).toString('base64'),
      acceptPermissions: true,
    },
  })
  await admin.must('PATCH /api/plugins/{plugin}', {
    ...{ params: { plugin: id }, body: { enabled: true } },
  })
}

/**
 * Installs a plugin that is off, with a previous version and a held update.
 * @returns its id
 */
export async function pluginOf({ database, controlPlane }: Lodge): Promise<string> {
  const id = `p${randomUUID()}`
  const settings = sealSettings(controlPlane.services.vault, id, {})
  await database.pool.query(
    `insert into plugins (id, source, enabled, version, previous_version, held_version, settings)
     values ($1, 'upload', false, '1.0.0', '0.9.0', '1.1.0', $2)`,
    [id, settings],
  )
  for (const version of ['0.9.0', '1.0.0', '1.1.0'])
    await database.pool.query(
      `insert into plugin_versions (plugin_id, version, manifest, files, sha256, signature)
       values ($1, $2, $3, decode('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'), $4, 'verified')`,
      [id, version, manifestOf({ id, version }), '0'.repeat(64)],
    )
  return id
}
