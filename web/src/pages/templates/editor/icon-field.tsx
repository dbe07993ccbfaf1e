import { DRAWN_GLYPHS, MARK_GLYPHS } from '@lodge/shared/templates/glyphs.ts'
import { ICON_BYTES_MAX } from '@lodge/shared/templates/icon.ts'
import ImageUp from 'lucide-react/icons/image-up'
import { useId, useRef, useState } from 'react'
import { Button } from '../../../ui/buttons/button.tsx'
import { GlyphTile, TemplateIcon } from '../../../ui/icons/template-icon.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { textAt } from './draft.ts'
import styles from './editor.module.css'
import { asPicture } from './rasterise.ts'
import { useDraft } from './use-draft.ts'
import { t } from './words.ts'

/** The icon of a template: one of the set, its own picture, or letters. */
export function IconField() {
  const { draft, set, faultAt, disabled } = useDraft()
  const picker = useRef<HTMLInputElement>(null)
  const name = useId()
  const [refused, setRefused] = useState<string>()
  const icon = textAt(draft, ['icon'])
  const title = textAt(draft, ['name']) || t.template
  const choose = (next: string | undefined): void => {
    setRefused(undefined)
    set(['icon'], next)
  }
  const upload = async (file: File | undefined): Promise<void> => {
    if (!file) return
    try {
      choose(await asPicture(file, ICON_BYTES_MAX))
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error))
    }
  }
  const fault = refused ?? faultAt(['icon'])
  return (
    <Column gap={8}>
      <Text strong>{t.icon}</Text>
      <fieldset className={styles.icons} aria-label={t.icon} disabled={disabled}>
        <label className={styles.icon} title={t.letters}>
          <input
            type="radio"
            name={name}
            aria-label={t.letters}
            checked={icon === ''}
            onChange={() => choose(undefined)}
          />
          <TemplateIcon icon={null} name={title} />
        </label>
        {[...DRAWN_GLYPHS, ...MARK_GLYPHS].map((glyph) => (
          <label key={glyph} className={styles.icon} title={glyph}>
            <input
              type="radio"
              name={name}
              aria-label={glyph}
              checked={icon === glyph}
              onChange={() => choose(glyph)}
            />
            <GlyphTile glyph={glyph} />
          </label>
        ))}
      </fieldset>
      <Row>
        {icon.startsWith('data:') ? <TemplateIcon icon={icon} name={title} size="large" /> : null}
        <Button
          size="small"
          icon={<ImageUp />}
          disabledBecause={disabled ? t.mendSource : undefined}
          onClick={() => picker.current?.click()}
        >
          {t.uploadPicture}
        </Button>
        <Text small muted>
          {t.uploadHelp}
        </Text>
      </Row>
      <input
        ref={picker}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"
        aria-label={t.picture}
        onChange={(event) => {
          void upload(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      {fault === undefined ? null : (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
    </Column>
  )
}
