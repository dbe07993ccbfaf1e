import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { loadPart } from '../../load-code.ts'
import styles from './part.module.css'
import { t } from './words.ts'

interface PartProps {
  /** Shown while it loads. */
  fallback?: ReactNode
  /** Called if it could not be loaded: undoes what opened it, such as a dialog. */
  onLost?: () => void
}

let tell: (() => void) | undefined

/** Called whenever a part of the page could not be loaded, unless the part shows that itself. */
export function onPartLost(listener: () => void): () => void {
  tell = listener
  return () => {
    tell = undefined
  }
}

/**
 * A component that loads when it is first shown. With React's `lazy`, a failure to load would replace
 * the whole page and never be retried; here the page stays as it is, and the part offers a retry in
 * its place, unless `onLost` removes it.
 */
export function part<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  let loaded: ComponentType<P> | undefined
  return function Part({ fallback, onLost, ...props }: P & PartProps) {
    const [Shown, setShown] = useState(() => loaded)
    const [isLost, setLost] = useState(false)
    const lost = useRef(onLost)
    lost.current = onLost
    useEffect(() => {
      if (isLost) return
      let left = false
      if (loaded) return setShown(() => loaded)
      loadPart(load).then(
        (module) => {
          loaded = module.default
          if (!left) setShown(() => loaded)
        },
        () => {
          if (left) return
          if (!lost.current) return setLost(true)
          tell?.()
          lost.current()
        },
      )
      return () => {
        left = true
      }
    }, [isLost])
    if (Shown) return <Shown {...(props as unknown as P)} />
    if (!isLost) return fallback
    return (
      <p className={styles.lost} role="alert">
        {t.partLost}
        <button type="button" onClick={() => setLost(false)}>
          {t.retryPart}
        </button>
      </p>
    )
  }
}
