import type { Attachment } from '@lodge/shared/attachments.ts'
import styles from './suspensions.module.css'
import { t } from './words.ts'

/** Says that a file was given twice. */
export function RepeatedFile({ file: { name } }: { file: Attachment }) {
  return (
    <p className={styles.sending} role="status">
      {t.attachedAlready({ name })}
    </p>
  )
}
