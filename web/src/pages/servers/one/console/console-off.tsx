import { Text } from '../../../../ui/page/layout.tsx'
import styles from './console.module.css'
import { t } from './words.ts'

/** Shown in place of a console while an administrator views as a customer. */
export function ConsoleOff() {
  return (
    <div className={styles.over}>
      <div>
        <Text muted>{t.offWhileViewing}</Text>
      </div>
    </div>
  )
}
