import type { Engine } from '../engine/client.ts'

interface EngineInfo {
  readonly RegistryConfig?: {
    readonly IndexConfigs?: Readonly<Record<string, { readonly Mirrors?: readonly string[] }>>
  }
}

/** The mirrors of docker.io, the only registry for which the engine knows any. */
export async function mirrorsOf(engine: Engine, signal: AbortSignal): Promise<readonly string[]> {
  const info: EngineInfo = await engine.call(() => engine.docker.info(), { signal })
  return info.RegistryConfig?.IndexConfigs?.['docker.io']?.Mirrors ?? []
}
