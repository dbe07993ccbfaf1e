import type { Attachment } from '@lodge/shared/attachments.ts'
import styles from './suspensions.module.css'
import { t } from './words.ts'

/** A note that a file was added twice. */
export function RepeatedFile({ file: { name } }: { file: Attachment }) {
  return (
    <p className={styles.sending} role="status">
      {t.attachedAlready({ name })}
    </p>
  )
}
