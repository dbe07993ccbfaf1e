import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { loadPart } from '../../stale-build.ts'

interface PartProps {
  /** Shown while it loads. */
  fallback?: ReactNode
  /** It could not be loaded: takes back what asked for it, such as an open dialog. */
  onLost?: () => void
}

let tell: (() => void) | undefined

/** Called whenever a part of the page could not be loaded. */
export function onPartLost(listener: () => void): () => void {
  tell = listener
  return () => {
    tell = undefined
  }
}

/**
 * A component that loads when it is first shown. React's `lazy` would replace the whole page when
 * the component cannot be loaded, and never try again; here the page stays as it is.
 */
export function part<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  let loaded: ComponentType<P> | undefined
  return function Part({ fallback, onLost, ...props }: P & PartProps) {
    const [Shown, setShown] = useState(() => loaded)
    const lost = useRef(onLost)
    lost.current = onLost
    useEffect(() => {
      let left = false
      if (loaded) return setShown(() => loaded)
      loadPart(load).then(
        (module) => {
          loaded = module.default
          if (!left) setShown(() => loaded)
        },
        () => {
          if (left) return
          tell?.()
          lost.current?.()
        },
      )
      return () => {
        left = true
      }
    }, [])
    return Shown ? <Shown {...(props as unknown as P)} /> : fallback
  }
}
