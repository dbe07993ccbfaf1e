import { type Branding, IMAGE_KINDS, type ImageKind } from '@lodge/shared/branding.ts'
import { useRef, useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import styles from './appearance.module.css'
import { uploadImage } from './upload-image.ts'
import { t } from './words.ts'

const words = (): Readonly<Record<ImageKind, readonly [string, string]>> => ({
  mark: [t.mark, t.markHelp],
  wordmark: [t.wordmark, t.wordmarkHelp],
  favicon: [t.favicon, t.faviconHelp],
  login: [t.loginImage, t.loginImageHelp],
})

interface ImageFieldsProps {
  value: Branding['images']
  onChange: (images: Branding['images']) => void
}

/** One picture of each kind, chosen or dropped here. */
export const ImageFields = ({ value, onChange }: ImageFieldsProps) => (
  <div>
    {IMAGE_KINDS.map((kind) => (
      <ImageField
        key={kind}
        kind={kind}
        sha={value[kind]}
        onChange={(sha) => onChange({ ...value, [kind]: sha })}
      />
    ))}
  </div>
)

interface ImageFieldProps {
  kind: ImageKind
  sha: string | null
  onChange: (sha: string | null) => void
}

function ImageField({ kind, sha, onChange }: ImageFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [isOver, setOver] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const [label, help] = words()[kind]
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setBusy(true)
    setRefusal(undefined)
    await uploadImage(kind, file).then((image) => onChange(image.sha), setRefusal)
    setBusy(false)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button */}
      <div
        className={styles.image}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void take(event.dataTransfer.files[0])
        }}
      >
        <span className={styles.shown}>
          {sha === null ? t.none : <img src={`/api/branding/blobs/${kind}/${sha}`} alt={label} />}
        </span>
        <div className={styles.about}>
          <Column gap={2}>
            <Text strong>{label}</Text>
            <Text small muted>
              {help}
            </Text>
          </Column>
        </div>
        <Row>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={label}
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            onChange={(event) => {
              void take(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
          <Button size="small" busy={busy} onClick={() => input.current?.click()}>
            {t.choose}
          </Button>
          {sha === null ? null : (
            <Button size="small" onClick={() => onChange(null)}>
              {t.remove}
            </Button>
          )}
        </Row>
      </div>
      {refusal ? <ProblemNote error={refusal} /> : null}
    </>
  )
}
