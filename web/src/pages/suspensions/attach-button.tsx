import { MAX_ATTACHMENTS } from '@lodge/shared/attachments.ts'
import Paperclip from 'lucide-react/icons/paperclip'
import { useRef } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

interface AttachButtonProps {
  /** How many the message has already. */
  count: number
  busy: boolean
  onChoose: (files: readonly File[]) => void
}

/** Chooses files to attach, up to the maximum of a message. */
export function AttachButton({ count, busy, onChoose }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        className={styles.picker}
        type="file"
        multiple
        aria-label={t.attach}
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          // Reset, so that the same file can be chosen again after it was removed.
          event.currentTarget.value = ''
          onChoose(files)
        }}
      />
      <Button
        size="small"
        icon={<Paperclip />}
        busy={busy}
        disabledBecause={
          count >= MAX_ATTACHMENTS ? t.tooMany({ count: MAX_ATTACHMENTS }) : undefined
        }
        onClick={() => input.current?.click()}
      >
        {t.attach}
      </Button>
    </>
  )
}
