import type { PluginManifest } from '@lodge/shared/plugins/manifest.ts'
import { SettingValues, secretsOf } from '@lodge/shared/plugins/settings.ts'
import type { Vault } from '../../secrets/vault.ts'

const placeOf = (id: string) => ({ table: 'plugins', id, column: 'settings' })

export const sealSettings = (vault: Vault, id: string, settings: SettingValues): Buffer =>
  vault.seal(JSON.stringify(settings), placeOf(id))

export const openSettings = (vault: Vault, id: string, sealed: Buffer): SettingValues =>
  SettingValues.parse(JSON.parse(vault.open(sealed, placeOf(id))))

/** The values of secret settings. */
export const secretValues = (
  { settings: form }: Pick<PluginManifest, 'settings'>,
  settings: SettingValues,
): string[] =>
  secretsOf(form).flatMap((name) => {
    const value = settings[name]
    return typeof value === 'string' ? [value] : []
  })
