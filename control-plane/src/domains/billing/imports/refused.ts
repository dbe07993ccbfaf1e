/** An export that cannot be imported. The message says what to do. */
export class ImportRefused extends Error {}
