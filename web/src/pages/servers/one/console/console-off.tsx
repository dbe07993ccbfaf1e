import { Text } from '../../../../ui/page/layout.tsx'
import styles from './console.module.css'

/** Shown in place of a console while an administrator views as a customer. */
export function ConsoleOff() {
  return (
    <div className={styles.over}>
      <div>
        <Text muted>Consoles are off while you view as a customer.</Text>
      </div>
    </div>
  )
}
