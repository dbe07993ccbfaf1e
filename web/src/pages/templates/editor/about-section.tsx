import { FieldGrid } from '../../../ui/form/fields.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { DraftArea, DraftText, DraftWords } from './draft-fields.tsx'
import styles from './editor.module.css'
import { IconField } from './icon-field.tsx'

/** What a template is called and how it looks. */
export const AboutSection = () => (
  <Card title="About">
    <div className={styles.section}>
      <FieldGrid>
        <DraftText path={['name']} label="Name" keep />
        <DraftText path={['author']} label="Author" />
      </FieldGrid>
      <DraftArea path={['description']} label="Description" rows={4} />
      <DraftWords
        path={['tags']}
        label="Tags"
        description="With commas between them; game, voice, database, web and bot are categories"
      />
      <IconField />
    </div>
  </Card>
)
