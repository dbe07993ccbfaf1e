import type { Quota } from '../../limits/index.ts'

/** Requires that a new server may have this many ports besides those that every such server gets. */
export async function requireExtraPorts(
  quota: Quota,
  requested: number,
  force: boolean | undefined,
): Promise<void> {
  if (requested === 0) return
  await quota.require(
    (usage) => [
      { capability: 'mayExtraPorts' },
      { key: 'maxExtraPorts', used: usage.extraPorts, requested },
    ],
    { force },
  )
}
