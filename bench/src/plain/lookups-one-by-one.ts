import type { batched as ours } from '../../../control-plane/src/db/batched.ts'

/** A statement for each lookup. */
export const batched: typeof ours = (ask) => async (key) => (await ask([key])).get(key)
