/** An export that cannot be read, in a sentence that says what to do. */
export class ImportRefused extends Error {}
