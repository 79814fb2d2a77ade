// SPDX-License-Identifier: MIT
// Stand-ins for the game engines, which need not be installed to check and build the package. Projects that use it see
// the types of the engines themselves.
declare module 'pixi.js' {
  class Any { constructor(...all: any[]); [member: string]: any; }
  export class Container extends Any {}
  export class ViewContainer extends Container {
    collectRenderablesSimple(instructions: any, renderer: any, layer: any): void;
    containsPoint(point: {x: number, y: number}): boolean;
    destroy(options?: any): void;
  }
  export class Matrix extends Any {}
  export class Ticker extends Any { static shared: Ticker; deltaMS: number; }
  export class Texture extends Any {}
  export class BufferImageSource extends Any {}
  export const ExtensionType: any, LoaderParserPriority: any, extensions: any;
}

declare module 'three' {
  class Any { constructor(...all: any[]); [member: string]: any; }
  export class BufferAttribute extends Any {}
  export class BufferGeometry extends Any {}
  export class Color extends Any {}
  export class DataTexture extends Any {}
  export class InterleavedBuffer extends Any {}
  export class InterleavedBufferAttribute extends Any {}
  export class Matrix4 extends Any {}
  export class Mesh<Geometry = any, Material = any, Events = any> extends Any {
    raycast(raycaster: Raycaster, intersections: Intersection[]): void;
    dispose(): void;
  }
  export class Plane extends Any {}
  export class Ray extends Any {}
  export class Raycaster extends Any {}
  export class ShaderMaterial extends Any {}
  export class Sphere extends Any {}
  export class Vector3 extends Any {}
  export interface Object3DEventMap { [type: string]: any; }
  export interface Intersection { [member: string]: any; }
  export const AddEquation: any, CustomBlending: any, DoubleSide: any, DstColorFactor: any, DynamicDrawUsage: any,
    LinearFilter: any, LinearMipmapLinearFilter: any, NearestFilter: any, OneFactor: any, OneMinusSrcAlphaFactor: any,
    OneMinusSrcColorFactor: any, RGBAFormat: any;
}
