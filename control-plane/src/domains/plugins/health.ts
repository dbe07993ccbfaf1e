import type { PluginHealth, PluginHost, PluginStore } from '@lodge/shared/plugins/plugin.ts'
import type { Ctx } from '../../context.ts'
import { PLUGIN_LIMITS } from '../../plugins/sandbox.ts'
import { Problem } from '../../problem.ts'
import {
  CALL_SECONDS,
  callInstalled,
  FENCE_SECONDS,
  PAYMENT_SECONDS,
  PluginCallFailed,
  SCAN_SECONDS,
  STYLE_SECONDS,
} from './call.ts'
import { STORAGE_MIB } from './host/serve.ts'
import { keyPrint } from './inspect.ts'
import { bundledPackages } from './package/bundled.ts'
import { LODGE_VERSION } from './package/read.ts'
import { readRegistry } from './registry.ts'
import { type Installed, listInstalled } from './store.ts'

/** Calls a plugin's health method. */
export async function askHealth(ctx: Ctx, installed: Installed): Promise<PluginHealth> {
  const began = performance.now()
  const latency = () => Math.round(performance.now() - began)
  try {
    const { ok, message } = await callInstalled(ctx, installed, 'plugin.health', {})
    return { ok, message, latencyMs: latency() }
  } catch (error) {
    if (!(error instanceof PluginCallFailed)) throw error
    // A plugin without a health method counts as healthy if it runs.
    if (error.reason === 'unsupported')
      return { ok: true, message: 'It runs', latencyMs: latency() }
    return { ok: false, message: error.message.slice(0, 500), latencyMs: latency() }
  }
}

/** The sandbox that runs plugins here. */
export async function describeHost(ctx: Ctx): Promise<PluginHost> {
  const obstacle = (await ctx.plugins.obstacle()) ?? null
  return {
    lodgeVersion: LODGE_VERSION,
    nodeVersion: process.versions.node,
    isolation: obstacle === null ? 'sandbox' : 'none',
    obstacle,
    running: [...ctx.plugins.running()].map(([id, at]) => ({ id, startedAt: at.toISOString() })),
    limits: {
      memoryMb: PLUGIN_LIMITS.heapMb,
      callSeconds: CALL_SECONDS,
      paymentSeconds: PAYMENT_SECONDS,
      scanSeconds: SCAN_SECONDS,
      styleSeconds: STYLE_SECONDS,
      fenceSeconds: FENCE_SECONDS,
      packageMib: 20,
      storageMib: STORAGE_MIB,
    },
    registry: ctx.pluginTrust.registry ?? null,
    trustedKeys: ctx.pluginTrust.keys.map(keyPrint),
  }
}

/** What can be installed: plugins bundled with Lodge, and those that the registry offers. */
export async function describeStore(ctx: Ctx): Promise<PluginStore> {
  const installed = new Map(
    (await listInstalled(ctx.db)).map(({ plugin }) => [plugin.id, plugin.version]),
  )
  const installedVersion = (id: string) => installed.get(id) ?? null
  const bundled = [...(await bundledPackages()).values()].map(({ manifest }) => {
    const { id, name, version, publisher, description, license, homepage = null, kinds } = manifest
    return {
      ...{ id, name, version, publisher, description, license, homepage, kinds },
      ...{ source: 'bundled' as const, installedVersion: installedVersion(id) },
    }
  })
  const { offered, failure } = await readRegistry(ctx).then(
    (offered) => ({ offered: [...offered.values()], failure: null }),
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error
      return { offered: [], failure: error.message }
    },
  )
  const others = offered.map(({ newest, versions: _all, homepage = null, ...about }) => ({
    ...about,
    ...{ homepage, version: newest.version, source: 'registry' as const },
    installedVersion: installedVersion(about.id),
  }))
  return {
    items: [...bundled, ...others.filter(({ id }) => !bundled.some((one) => one.id === id))],
    registry: { address: ctx.pluginTrust.registry ?? null, failure },
  }
}
