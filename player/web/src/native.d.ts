// SPDX-License-Identifier: MIT
// The script is written by bindings/declarations.py when the site is built.
/** Numbers of the values of each enum of pchr.h. */
export const ENUMS: Record<string, Record<string, number>>;
/** Members of each struct of pchr.h with the letters of their kinds, such as "x:f y:f tint:f*4". */
export const STRUCTS: Record<string, string>;
