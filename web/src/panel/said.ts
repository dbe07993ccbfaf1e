type Say = (text: string) => string

let say: Say = (text) => text

/** Says declared texts in the language of the panel from now on. */
export function sayWith(phrases: Say): void {
  say = phrases
}

/**
 * A text that Lodge declares outside the panel's catalogues, such as a permission, the title of a problem
 * or of a job: in the language of the panel, or as it is where that has no words for it.
 */
export const said: Say = (text) => say(text)
