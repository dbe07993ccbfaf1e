import type { batched as ours } from '../../../control-plane/src/fleet/batched.ts'

/** A transaction for each message. */
export const batched: typeof ours = (run) => async (item) => {
  const [answer] = await run([item])
  return answer as Awaited<ReturnType<typeof run>>[number]
}
