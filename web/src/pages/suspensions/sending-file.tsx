import X from 'lucide-react/icons/x'
import { Button } from '../../ui/buttons/button.tsx'
import { Progress } from '../../ui/data/meter.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Column, Row } from '../../ui/page/layout.tsx'
import styles from './suspensions.module.css'
import type { Sending } from './use-attach.ts'
import { t } from './words.ts'

/** The progress of a file's upload, with a button to cancel it. */
export function SendingFile({ sending }: { sending: Sending }) {
  const { name, sentBytes, sizeBytes, cancel } = sending
  const isSent = sentBytes >= sizeBytes
  const percent = sizeBytes === 0 || isSent ? null : Math.floor((sentBytes / sizeBytes) * 100)
  const amounts = { sent: formatBytes(sentBytes), size: formatBytes(sizeBytes) }
  return (
    <Column gap={4}>
      <Row>
        <span className={styles.sending}>
          {isSent ? t.checkingFile({ name }) : t.sendingFile({ name, ...amounts })}
        </span>
        <Button size="small" icon={<X />} aria-label={t.cancelFile({ name })} onClick={cancel}>
          {t.cancelUpload}
        </Button>
      </Row>
      <Progress label={t.progressOfFile({ name })} percent={percent} />
    </Column>
  )
}
