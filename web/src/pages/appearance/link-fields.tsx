import type { Branding } from '@lodge/shared/branding.ts'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import styles from './appearance.module.css'
import { t } from './words.ts'

type Links = Branding['links']
const MOST = 12

/** Links of the host, in their order. */
export function LinkFields({
  value,
  onChange,
}: {
  value: Links
  onChange: (links: Links) => void
}) {
  const change = (at: number, part: Partial<Links[number]>) =>
    onChange(value.map((link, index) => (index === at ? { ...link, ...part } : link)))
  return (
    <div>
      {value.map((link, at) => (
        <div key={at} className={styles.link}>
          <TextField
            label={t.linkLabel}
            width="fill"
            value={link.label}
            onChange={(label) => change(at, { label })}
          />
          <TextField
            label={t.linkUrl}
            width="fill"
            placeholder="https://"
            value={link.url}
            onChange={(url) => change(at, { url })}
          />
          <SelectField
            label={t.placement}
            width="fill"
            choices={[
              { value: 'menu', label: t.placeMenu },
              { value: 'login', label: t.placeLogin },
            ]}
            value={link.placement}
            onChange={(place) => change(at, { placement: place === 'login' ? 'login' : 'menu' })}
          />
          <IconButton
            label={t.removeLink}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      <Button
        size="small"
        icon={<Plus />}
        disabledBecause={value.length >= MOST ? t.linksText : undefined}
        onClick={() => onChange([...value, { label: '', url: '', placement: 'menu' }])}
      >
        {t.addLink}
      </Button>
    </div>
  )
}
