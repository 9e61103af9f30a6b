/** Something that can be expected to go wrong: people see its message, never a stack. */
export class Fault extends Error {}
