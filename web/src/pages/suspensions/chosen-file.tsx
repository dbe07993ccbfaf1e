import type { Attachment } from '@lodge/shared/attachments.ts'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { IconButton } from '../../ui/buttons/button.tsx'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Text } from '../../ui/page/layout.tsx'
import styles from './attached.module.css'
import { t } from './words.ts'

interface ChosenFileProps {
  file: Pick<Attachment, 'name' | 'sizeBytes'>
  /** Its address in this browser, of a picture. */
  picture: string | undefined
  onRemove: () => void
}

/** A file that goes with the message, and the way to leave it out. */
export function ChosenFile({ file: { name, sizeBytes }, picture, onRemove }: ChosenFileProps) {
  // Of a picture that is broken, or of a kind that this browser does not draw.
  const [lost, setLost] = useState(false)
  return (
    <span className={styles.chosen}>
      {picture === undefined || lost ? null : (
        <img src={picture} alt="" decoding="async" onError={() => setLost(true)} />
      )}
      <Text clip title={name}>
        {name}
      </Text>
      <small>{formatBytes(sizeBytes)}</small>
      <IconButton size="small" label={t.removeFile({ name })} onClick={onRemove}>
        <X />
      </IconButton>
    </span>
  )
}
