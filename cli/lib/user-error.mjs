// An error whose text is for the person: what is wrong, in backticks the value, and the next step. bin/trimtab.mjs prints it.

export class UserError extends Error {}
