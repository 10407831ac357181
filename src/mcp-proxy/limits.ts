/** The longest message that is taken from either side, in bytes: whole files go through a proxy. */
export const longestMessageBytes: number = 64 * 1024 * 1024;
