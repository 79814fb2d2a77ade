# The libraries that readers and exporters need, compiled to WebAssembly from the source packages in PCHR_WEB_SOURCES, which
# debian_sources.sh fetches. Nothing that is specific to a processor is compiled, and of libjpeg only what decodes. Defines
# the targets that PchrDependencies looks for.

# pchr_web_library(TARGET PACKAGE FOLDER FILE...): adds a static library of files in a folder of a package.
function(pchr_web_library target package folder)
  string(REPLACE :: _ name web_${target})
  list(TRANSFORM ARGN PREPEND ${PCHR_WEB_SOURCES}/${package}/${folder})
  add_library(${name} STATIC ${ARGN})
  add_library(${target} ALIAS ${name})
  target_include_directories(${name} SYSTEM PUBLIC ${PCHR_WEB_SOURCES}/${package})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_compile_options(${name} PRIVATE -w -ffunction-sections -fdata-sections -ffp-contract=off)
endfunction()

pchr_web_library(libdeflate::libdeflate libdeflate lib/ adler32.c deflate_compress.c deflate_decompress.c
  utils.c zlib_compress.c)

pchr_web_library(GIF::GIF giflib "" dgif_lib.c egif_lib.c gif_err.c gif_hash.c gifalloc.c openbsd-reallocarray.c)

pchr_web_library(PkgConfig::WEBP libwebp src/
  dec/alpha_dec.c dec/buffer_dec.c dec/frame_dec.c dec/io_dec.c dec/quant_dec.c dec/tree_dec.c dec/vp8_dec.c
  dec/vp8l_dec.c dec/webp_dec.c
  dsp/alpha_processing.c dsp/cost.c dsp/cpu.c dsp/dec.c dsp/dec_clip_tables.c dsp/enc.c dsp/filters.c dsp/lossless.c
  dsp/lossless_enc.c dsp/rescaler.c dsp/ssim.c dsp/upsampling.c dsp/yuv.c
  enc/alpha_enc.c enc/analysis_enc.c enc/backward_references_cost_enc.c enc/backward_references_enc.c enc/config_enc.c
  enc/cost_enc.c enc/filter_enc.c enc/frame_enc.c enc/histogram_enc.c enc/iterator_enc.c enc/near_lossless_enc.c
  enc/picture_csp_enc.c enc/picture_enc.c enc/picture_rescale_enc.c enc/picture_tools_enc.c enc/predictor_enc.c
  enc/quant_enc.c enc/syntax_enc.c enc/token_enc.c enc/tree_enc.c enc/vp8l_enc.c enc/webp_enc.c
  utils/bit_writer_utils.c utils/huffman_encode_utils.c utils/quant_levels_utils.c
  ../sharpyuv/sharpyuv.c ../sharpyuv/sharpyuv_csp.c ../sharpyuv/sharpyuv_dsp.c ../sharpyuv/sharpyuv_gamma.c
  utils/bit_reader_utils.c utils/color_cache_utils.c utils/filters_utils.c utils/huffman_utils.c
  utils/quant_levels_dec_utils.c utils/random_utils.c utils/rescaler_utils.c utils/thread_utils.c utils/utils.c)
target_include_directories(web_PkgConfig_WEBP SYSTEM PUBLIC ${PCHR_WEB_SOURCES}/libwebp/src)

pchr_web_library(JPEG::JPEG libjpeg-turbo ""
  jaricom.c jcomapi.c jdapimin.c jdapistd.c jdarith.c jdatasrc.c jdcoefct.c jdcolor.c jddctmgr.c jdhuff.c jdinput.c
  jdmainct.c jdmarker.c jdmaster.c jdmerge.c jdphuff.c jdpostct.c jdsample.c jerror.c jidctflt.c jidctfst.c jidctint.c
  jidctred.c jmemmgr.c jmemnobs.c jquant1.c jquant2.c jsimd_none.c jutils.c)
target_compile_definitions(web_JPEG_JPEG PRIVATE NO_GETENV NO_PUTENV)
# What its own build writes for Debian's package.
function(pchr_configure_jpeg folder)
  set(JPEG_LIB_VERSION 62)
  file(STRINGS ${PCHR_WEB_SOURCES}/libjpeg-turbo/CMakeLists.txt VERSION REGEX "^set\\(VERSION ")
  string(REGEX REPLACE "^set\\(VERSION ([0-9.]+)\\)" "\\1" VERSION "${VERSION}")
  set(LIBJPEG_TURBO_VERSION_NUMBER 0)
  set(COPYRIGHT_YEAR "")
  set(D_ARITH_CODING_SUPPORTED 1)
  set(MEM_SRCDST_SUPPORTED 1)
  set(BITS_IN_JSAMPLE 8)
  set(INLINE inline)
  set(SIZE_T 4)
  foreach(header IN ITEMS jconfig.h jconfigint.h jversion.h)
    configure_file(${PCHR_WEB_SOURCES}/libjpeg-turbo/${header}.in ${folder}/${header})
  endforeach()
endfunction()
pchr_configure_jpeg(${CMAKE_CURRENT_BINARY_DIR}/web_jpeg)
target_include_directories(web_JPEG_JPEG SYSTEM PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/web_jpeg)
