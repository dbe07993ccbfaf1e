import { access } from 'node:fs/promises'

/** Whether there is something at this path that can be reached. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** For `catch` at a read whose file need not exist: undefined then, while every other error is thrown. */
export function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
