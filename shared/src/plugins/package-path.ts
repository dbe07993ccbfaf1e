import { z } from 'zod'

/** The path of a file in a package, with one of these endings. */
export const packagePath = (...endings: readonly string[]) =>
  z
    .string()
    .max(200)
    .regex(
      new RegExp(
        `^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\\.(${endings.join('|')})$`,
      ),
    )
