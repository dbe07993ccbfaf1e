import { type RefObject, useEffect, useRef } from 'react'
import { changedNames } from '../../../ui/form/changes.ts'
import type { Values } from './schedule-values.ts'

/** A saved version of a schedule. */
interface Base {
  readonly revision: number
  readonly values: Values
}

/**
 * The version that the changes in a form were made on. It follows the saved one, unless somebody else
 * has changed what is changed here as well: saving is refused then, where it would undo theirs.
 */
export function useBase(changed: readonly (keyof Values)[], saved: Base): RefObject<Base> {
  const base = useRef(saved)
  useEffect(() => {
    // What was saved here is known before it is fetched.
    if (saved.revision <= base.current.revision) return
    const theirs = changedNames(saved.values, base.current.values)
    if (!changed.some((name) => theirs.includes(name))) base.current = saved
  })
  return base
}
