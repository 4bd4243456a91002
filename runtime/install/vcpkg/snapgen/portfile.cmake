# Overlay port: builds the checkout that contains it, with the libraries of the system, once for all build types. Files
# have the same relative places as in any other installation, because snapgenConfig.cmake depends on them; the checks of
# vcpkg expect others.
set(VCPKG_POLICY_SKIP_ALL_POST_BUILD_CHECKS enabled)
set(VCPKG_FIXUP_ELF_RPATH OFF)
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)
vcpkg_execute_required_process(
  COMMAND "${SOURCE_PATH}/runtime/install/install_devel" "${CURRENT_BUILDTREES_DIR}/meson" "${CURRENT_PACKAGES_DIR}"
  WORKING_DIRECTORY "${SOURCE_PATH}" LOGNAME "build-${TARGET_TRIPLET}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
